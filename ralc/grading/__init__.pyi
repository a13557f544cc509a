from .grader import grade as grade
from .grader import grade_rewrites as grade_rewrites
from .grader import render_rewrites as render_rewrites
from .llm_grader import parse_grade as parse_grade
from .llm_grader import render as render
from .reference import reference_grade as reference_grade
