"""Opens designs of Puzzle Studio in Rayforge: the studio makes SVG files of them for Rayforge's own importer."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pluggy
from rayforge.core.source_asset import SourceAsset
from rayforge.core.vectorization_spec import VectorizationSpec
from rayforge.image.base_importer import ImporterFeature
from rayforge.image.structures import ImportManifest, ImportPayload, ParsingResult, VectorizationResult
from rayforge.image.svg.svg_vector import SvgVectorImporter
from raygeo.geo import Geometry

from .conversion import Converted, Refusal, converted, steps

NAME = "puzzle_studio"
hookimpl = pluggy.HookimplMarker("rayforge")


class PuzzleImporter(SvgVectorImporter):
    """Imports a design with a layer for each operation, in the order of the studio, at true size."""

    label = "Puzzle Studio designs"
    mime_types = ("application/x-puzzle-studio",)
    extensions = (".puzzle",)
    features = {ImporterFeature.DIRECT_VECTOR, ImporterFeature.LAYER_SELECTION}  # noqa: RUF012  # typed in Rayforge

    def __init__(self, data: bytes, source_file: Path | None = None) -> None:
        super().__init__(data, source_file)
        self._design = data
        self._converted: Converted | None = None
        try:
            self._converted = converted(data, self.source_file.name)
        except Refusal as problem:
            self.add_error(str(problem))
            return
        self.raw_data = self._converted.svg
        if self._converted.warning:
            self.add_warning(self._converted.warning)

    def scan(self) -> ImportManifest:
        """List the layers, or say why there are none."""
        if self._converted is None:
            return ImportManifest(title=self.source_file.name, warnings=self._warnings, errors=self._errors)
        return super().scan()

    def parse(self) -> ParsingResult | None:
        """Read the geometry; None, with the reason among the errors, if there is none."""
        return None if self._converted is None else super().parse()

    def create_source_asset(self, parse_result: ParsingResult) -> SourceAsset:
        """Keep the design as the source, so that Rayforge can watch its file and read it again."""
        source = super().create_source_asset(parse_result)
        source.original_data = self._design
        return source

    def vectorize(self, parse_result: ParsingResult, spec: VectorizationSpec) -> VectorizationResult:
        """Give the layers their curves, which Rayforge's reader of SVG replaces by 20 lines each, and their recipes."""
        result = super().vectorize(parse_result, spec)
        if self._converted is not None:
            known = self._converted.paths
            result.geometries_by_layer.update(
                {name: curves(known[name]) for name in result.geometries_by_layer if name in known}
            )
        result.layer_settings.update(self._recipes)
        return result

    def _post_process_payload(self, payload: ImportPayload) -> ImportPayload:
        """Switch air on where a recipe has it, for which settings of layers have no place."""
        for layer in payload.items:
            workflow, pieces = getattr(layer, "workflow", None), getattr(layer, "children", ())
            ids = {piece.source_segment.layer_id for piece in pieces if getattr(piece, "source_segment", None)}
            if workflow is not None and any(self._recipes.get(key, {}).get("air_assist") for key in ids):
                for step in workflow.steps:
                    step.set_air_assist(True)
        return payload

    @property
    def _recipes(self) -> dict[str, dict[str, float]]:
        return {} if self._converted is None else self._converted.recipes


def curves(paths: list[str]) -> Geometry:
    """Make the geometry of path data in mm, curve by curve."""
    geometry = Geometry()
    for data in paths:
        for letter, numbers in steps(data):
            match letter:
                case "M":
                    geometry.move_to(*numbers)
                case "L":
                    geometry.line_to(*numbers)
                case "C":
                    geometry.bezier_to(*numbers[4:], *numbers[:4])
                case "Z":
                    geometry.close_path()
    return geometry


@hookimpl
def register_importers(importer_registry: Any) -> None:
    """Offer the importer to Rayforge."""
    importer_registry.register(PuzzleImporter, NAME)
