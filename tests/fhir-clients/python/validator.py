"""fhir.resources as a judge of answers."""

from fhir.resources.R4B import get_fhir_model_class
from pydantic import ValidationError


def faults(asked, resource):
    """What fhir.resources finds wrong with an answer, and with what is inside it."""
    try:
        get_fhir_model_class(resource["resourceType"]).model_validate(resource)
    except ValidationError as error:
        yield f"{asked}: {error}"
