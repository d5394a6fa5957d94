"""What a browser is sent: plain HTML and JavaScript, no build step, nothing from elsewhere."""
