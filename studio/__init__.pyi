from studio.api import check as check
from studio.api import export as export
from studio.api import grade as grade
from studio.api import kinds as kinds
from studio.api import load as load
from studio.api import new as new
from studio.api import plan as plan
from studio.api import repair as repair
from studio.api import save as save
from studio.api import solve as solve

__version__: str
PROGRAM: str
DESKTOP_ID: str
FOR_PYTHON: tuple[str, ...]
