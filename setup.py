"""Says what goes into a wheel: the studio, and inside it the data that stands beside it in a checkout."""

from setuptools import find_namespace_packages, find_packages, setup

setup(
    packages=[
        *find_packages(include=["studio", "studio.*"]),
        *(f"studio.{name}" for name in find_namespace_packages(include=["resources", "resources.*"])),
    ],
    package_dir={"studio.resources": "resources"},
)
