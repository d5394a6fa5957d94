"""``deploy/kubernetes`` builds, is what Kubernetes takes, and fits the image, the service and itself."""

from itertools import product
from typing import Any

import kubernetes_validate  # type: ignore[import-untyped]
import pytest
import yaml

from service import __version__
from service.settings import Settings
from tests.deploy.deployed import DEPLOY, ROUTES, exported_metrics, settings_that_fit
from tests.deploy.image import said
from tests.programs import run
from tests.support import need

FOLDER = DEPLOY / "kubernetes"
LISTED: list[str] = yaml.safe_load((FOLDER / "kustomization.yaml").read_text())["resources"]

RESOURCES: dict[str, dict[str, Any]] = {
    resource["kind"]: resource for name in LISTED for resource in yaml.safe_load_all((FOLDER / name).read_text())
}
"""Each resource by its kind. The kustomization changes none of them, so the files are what is applied."""

VERSIONS = ["1.29", "1.34"]
"""The oldest and the newest release of Kubernetes whose schemas the resources have to fit."""

DEPLOYMENT = RESOURCES["Deployment"]["spec"]
POD = DEPLOYMENT["template"]["spec"]
CONTAINER = POD["containers"][0]
LABELS = DEPLOYMENT["template"]["metadata"]["labels"]
ENVIRONMENT = {variable["name"]: variable["value"] for variable in CONTAINER["env"]}
LIMITS, REQUESTS = CONTAINER["resources"]["limits"], CONTAINER["resources"]["requests"]

PROBES = {"startupProbe": "/readyz", "readinessProbe": "/readyz", "livenessProbe": "/healthz"}


@pytest.mark.verify
def test_the_public_overlay_sets_the_image_and_one_name_for_page_models_and_ingress() -> None:
    done = run(need("kubectl"), "kustomize", DEPLOY / "kubernetes-public")
    assert done.returncode == 0, done.stderr
    built = {each["kind"]: each for each in yaml.safe_load_all(done.stdout)}
    (container,) = built["Deployment"]["spec"]["template"]["spec"]["containers"]
    assert container["image"] == "registry.example.org/move-oracle:1.2.3"
    settings = Settings.from_environment({variable["name"]: variable["value"] for variable in container["env"]})
    assert (settings.public_url, settings.trusted_proxies) == (f"https://{settings.mcp_hosts}", 1)
    assert settings.max_searches == 2  # what the pod sets stays
    (rule,) = built["Ingress"]["spec"]["rules"]
    assert [rule["host"]] == built["Ingress"]["spec"]["tls"][0]["hosts"] == [settings.mcp_hosts]
    (path,) = rule["http"]["paths"]
    service = built["Service"]
    ports = [{"name": port["name"]} for port in service["spec"]["ports"]]
    assert (path["backend"]["service"]["name"], path["backend"]["service"]["port"]) == (
        service["metadata"]["name"],
        ports[0],
    )
    for version in VERSIONS:
        assert kubernetes_validate.validate(built["Ingress"], version, strict=True) == version


def test_every_resource_is_what_kubernetes_takes() -> None:
    for resource, version in product(RESOURCES.values(), VERSIONS):
        assert kubernetes_validate.validate(resource, version, strict=True) == version


def test_whatever_selects_pods_selects_those_of_the_service() -> None:
    selectors = [
        DEPLOYMENT["selector"]["matchLabels"],
        RESOURCES["Service"]["spec"]["selector"],
        RESOURCES["PodDisruptionBudget"]["spec"]["selector"]["matchLabels"],
        RESOURCES["NetworkPolicy"]["spec"]["podSelector"]["matchLabels"],
        *(spread["labelSelector"]["matchLabels"] for spread in POD["topologySpreadConstraints"]),
    ]
    assert len(selectors) == 6
    assert all(selector and selector.items() <= LABELS.items() for selector in selectors)


def test_all_ports_are_the_one_at_which_the_service_listens_and_probes_ask_routes_that_there_are() -> None:
    assert {probe: CONTAINER[probe]["httpGet"]["path"] for probe in PROBES} == PROBES
    assert set(PROBES.values()) <= ROUTES
    (port,) = CONTAINER["ports"]
    assert port["containerPort"] == Settings().port == int(said("EXPOSE")) == 8000
    named = [
        *(service["targetPort"] for service in RESOURCES["Service"]["spec"]["ports"]),
        *(CONTAINER[probe]["httpGet"]["port"] for probe in PROBES),
        *(port["port"] for rule in RESOURCES["NetworkPolicy"]["spec"]["ingress"] for port in rule["ports"]),
    ]
    assert set(named) == {port["name"]}
    assert DEPLOYMENT["template"]["metadata"]["annotations"]["prometheus.io/port"] == "8000"


def test_a_pod_has_the_memory_the_cores_and_the_time_to_stop_that_its_settings_need() -> None:
    (volume,) = POD["volumes"]
    sizes = (LIMITS["memory"], volume["emptyDir"]["sizeLimit"], REQUESTS["memory"])
    memory, files, requested = (int(size.removesuffix("Mi")) for size in sizes)
    settings = settings_that_fit(ENVIRONMENT, memory=memory, shared_memory=files, cores=int(LIMITS["cpu"]))
    assert requested <= memory
    program, pause = CONTAINER["lifecycle"]["preStop"]["exec"]["command"]
    assert program == "sleep"
    assert POD["terminationGracePeriodSeconds"] > int(pause) + settings.graceful_timeout


def test_a_pod_runs_this_version_and_has_no_rights_but_those_that_it_needs() -> None:
    assert CONTAINER["image"] == f"move-oracle:{__version__}"
    rights = POD["securityContext"]
    assert f"{rights['runAsUser']}:{rights['runAsGroup']}" == said("USER")
    assert rights["runAsNonRoot"]
    assert rights["seccompProfile"] == {"type": "RuntimeDefault"}
    assert CONTAINER["securityContext"] == {
        "allowPrivilegeEscalation": False,
        "readOnlyRootFilesystem": True,
        "capabilities": {"drop": ["ALL"]},
    }
    assert POD["automountServiceAccountToken"] is False


def test_the_autoscaler_scales_by_a_metric_that_there_is_and_keeps_two_pods_so_that_one_may_go() -> None:
    scaler, budget = RESOURCES["HorizontalPodAutoscaler"]["spec"], RESOURCES["PodDisruptionBudget"]["spec"]
    assert "replicas" not in DEPLOYMENT
    pods = [metric["pods"]["metric"]["name"] for metric in scaler["metrics"] if metric["type"] == "Pods"]
    assert pods == ["move_oracle_searches_waiting"]
    assert set(pods) <= exported_metrics()
    assert scaler["minReplicas"] > budget["maxUnavailable"] >= 1
