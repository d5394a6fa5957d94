"""Requests whose headers are repeated, and what other clients then get for the same question."""

from functools import lru_cache
from itertools import permutations

from loadtests.positions.questions import Question, other_questions
from loadtests.siege.attacks.target import Target, post

REPEATED = {
    "Accept": ("application/json", "application/json;q=0.1", "application/x-ndjson", "text/event-stream"),
    "Content-Type": ("application/json", "text/plain", "application/x-ndjson"),
    "Accept-Encoding": ("identity", "gzip", "br"),
    "If-None-Match": ('"x"', "*"),
    "X-Request-ID": ("a", "b"),
    "Origin": ("https://a.example", "https://b.example"),
    "X-HTTP-Method-Override": ("GET", "DELETE"),
}
"""Headers that could decide an answer, with values of which two are sent."""

PAIRS = [(name, *pair) for name, values in REPEATED.items() for pair in permutations(values, 2)]

PLAIN_ASKS = 4
"""Plain requests after each that is to poison: enough to reach every worker."""

PATIENCE_SECONDS = 5
"""After which a client asks something else."""

QUESTIONS = 100

BLANKS = str.maketrans("01", " \t")
"""Digits as white space, which makes a body a different one and changes nothing else."""


async def repeated_headers(target: Target) -> None:
    """Send a header twice with two values, then ask the same plainly and compare the answer with the truth."""
    questions = _questions()

    async def poison(number: int) -> None:
        question = questions[number % QUESTIONS]
        unseen = question.body + f"{number:b}".translate(BLANKS).encode()
        name, first, second = PAIRS[number % len(PAIRS)]
        await target.ask(
            post(question.path, unseen, f"{name}: {first}", f"{name}: {second}"), leave_after=PATIENCE_SECONDS
        )
        for _ in range(PLAIN_ASKS):
            await _compare(target, Question(question.path, unseen, question.answer), f"{name}: {first} and {second}")

    await target.crowd(4, poison)


@lru_cache
def _questions() -> list[Question]:
    return other_questions(QUESTIONS)


async def _compare(target: Target, question: Question, after: str) -> None:
    reply = await target.ask(post(question.path, question.body), leave_after=PATIENCE_SECONDS)
    if reply is not None and (reply.status, reply.body) != (200, question.answer):
        target.wrong.append(
            f"after {after} a plain request got {reply.headers.get('content-type')} {reply.body[:60]!r}"
        )
