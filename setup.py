"""Says what goes into a wheel: the studio, and inside it the data and the manual that are beside it in a checkout."""

from setuptools import find_namespace_packages, find_packages, setup

setup(
    packages=[
        *find_packages(include=["studio", "studio.*"]),
        *(f"studio.{name}" for name in find_namespace_packages(include=["resources", "resources.*", "docs.*"])),
    ],
    package_dir={"studio.resources": "resources", "studio.docs": "docs"},
)
