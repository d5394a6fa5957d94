"use strict";

// The contract comes from this service alone, and no validator elsewhere is asked about it.
SwaggerUIBundle({
  dom_id: "#contract",
  url: "/openapi.json",
  validatorUrl: null,
  deepLinking: true,
  tryItOutEnabled: true,
  displayRequestDuration: true,
  defaultModelsExpandDepth: 0,
});
