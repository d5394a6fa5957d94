"""The lesson at ``/learn``: alpha-beta, step by step."""

from flask import Blueprint, Response

from service.api.documents import PAGE_POLICY, page_response, with_guide_links
from service.web.page import LESSON, page_files


def lesson_routes(*, has_guide: bool) -> Blueprint:
    """Return the route; without a guide the lesson does not link to it."""
    routes = Blueprint("lesson", __name__)
    lesson = with_guide_links(page_files(LESSON).page, has_guide=has_guide)

    @routes.get("/learn")
    def learn() -> Response:
        return page_response(lesson, PAGE_POLICY)

    return routes
