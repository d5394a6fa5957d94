/**
 * A TypeScript client whose types come from the contract.
 *
 * Run beside `make serve`, in an empty folder with this file and `openapi.yaml`:
 *
 *   npm install openapi-typescript@7 typescript@5 @types/node
 *   npx openapi-typescript openapi.yaml --output contract.d.ts
 *   npx tsc --strict --skipLibCheck --target es2022 --module commonjs --moduleResolution node10 client.ts
 *   node client.js http://localhost:8000
 */
import type { paths } from "./contract";

/** The routes that take a JSON body, with the types of their bodies and answers. */
type Route = "/best-move" | "/analysis" | "/best-moves" | "/review";
type Operation<R extends Route> = paths[R]["post"];
type Body<R extends Route> = Operation<R>["requestBody"]["content"]["application/json"];
type Answer<R extends Route> = Operation<R>["responses"][200]["content"]["application/json"];

/** A refused request; `status` is the HTTP status, the message is what to do about it. */
class ProblemError extends Error {
  constructor(
    readonly status: number,
    detail: string,
  ) {
    super(detail);
  }
}

class Oracle {
  constructor(readonly url: string) {}

  /** Return the answer of a route. Throws ProblemError if the service refuses the request. */
  async ask<R extends Route>(route: R, body: Body<R>): Promise<Answer<R>> {
    const response = await fetch(this.url + route, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(body),
    });
    const document = await response.json();
    if (!response.ok) throw new ProblemError(response.status, document.detail);
    return document;
  }
}

/**
 * Say what an answer knows. Only games of families have `family`; `status`, `exact` and `proven` tell the other kinds of
 * answers apart, so no cast is needed.
 */
function say(answer: Answer<"/best-move">): string {
  if ("family" in answer) return `${answer.name} ${answer.outcome}`;
  if (answer.status !== "in_progress") return answer.reason;
  if (answer.exact) return `${answer.move} ${answer.outcome} in ${answer.plies}`;
  if (answer.proven) return `${answer.move} ${answer.outcome} in ${answer.plies_at_least} to ${answer.plies_at_most}`;
  return `${answer.move} expects ${(answer.estimate ?? 0).toFixed(1)}, from ${answer.at_least} to ${answer.at_most}`;
}

async function main(): Promise<void> {
  const oracle = new Oracle(process.argv[2] ?? "http://localhost:8000");
  console.log(say(await oracle.ask("/best-move", { board: "X...O...." })));
  console.log(say(await oracle.ask("/best-move", { board: "XXXOO...." })));
  const large = { rows: 8, columns: 8, in_a_row: 4, gravity: true };
  console.log(say(await oracle.ask("/best-move", { game: large, limit: { nodes: 1000 } })));
  const review = await oracle.ask("/review", { moves: [0, 4, 8, 2] });
  console.log(review.plies.map((ply) => ply.verdict).join(" "));
  await oracle.ask("/best-move", { board: "XXXX....." }).catch((problem) => console.log(problem.status, problem.message));
}

main();
