/** An answer that refuses, with the API's own envelope (lambda-cloud-api.md section 3). */
export class ApiProblem extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    readonly suggestion: string | null = null,
  ) {
    super(message);
    this.name = "ApiProblem";
  }

  envelope() {
    const { code, message, suggestion } = this;
    return { error: { code, message, ...(suggestion === null ? {} : { suggestion }) } };
  }
}

export const problems = {
  invalidKey: () =>
    new ApiProblem(
      401,
      "global/invalid-api-key",
      "API key was invalid, expired, or deleted.",
      "Check your API key or create a new one, then try again.",
    ),
  accountInactive: () =>
    new ApiProblem(
      403,
      "global/account-inactive",
      "Your account is inactive.",
      "Make sure you have verified your email address and have a valid payment method. Contact Support if problems continue.",
    ),
  /** The specification has no 429 and no code for it; this one is made up, and there is no Retry-After. */
  tooMany: () => new ApiProblem(429, "global/too-many-requests", "Too many requests."),
  notFound: () => new ApiProblem(404, "global/not-found", "The requested resource was not found."),
  methodNotAllowed: () => new ApiProblem(405, "global/method-not-allowed", "Method not allowed."),
  instanceNotFound: () => new ApiProblem(404, "global/object-does-not-exist", "Specified instance does not exist."),
  rulesetNotFound: () => new ApiProblem(404, "global/object-does-not-exist", "Firewall ruleset was not found."),
  /** The specification's 409 of the ruleset's PATCH. */
  firewallConflict: () => new ApiProblem(409, "global/internal-error", "The firewall ruleset is being changed."),
  fileSystemNotFound: () => new ApiProblem(404, "global/object-does-not-exist", "Filesystem was not found."),
  launchObjectNotFound: (what: string) =>
    new ApiProblem(
      400,
      "global/object-does-not-exist",
      `Specified ${what} does not exist.`,
      "Choose one that exists, then try again.",
    ),
  invalid: (message: string) =>
    new ApiProblem(400, "global/invalid-parameters", message, "Retry the request after fixing the request parameters."),
  duplicate: (message: string) => new ApiProblem(400, "global/duplicate", message, "Choose another name."),
  quota: () =>
    new ApiProblem(400, "global/quota-exceeded", "Quota exceeded.", "Contact Support to increase your quota."),
  noCapacity: () =>
    new ApiProblem(
      400,
      "instance-operations/launch/insufficient-capacity",
      "Not enough capacity to fulfill launch request.",
      "Choose an instance type with more availability, or try again later.",
    ),
  wrongRegion: () =>
    new ApiProblem(
      400,
      "instance-operations/launch/file-system-in-wrong-region",
      "The filesystem is in another region than the instance.",
      "Choose a filesystem in the instance's region.",
    ),
  fileSystemInUse: () =>
    new ApiProblem(
      400,
      "filesystems/filesystem-in-use",
      "The filesystem is currently in use by an instance",
      "Terminate the instance before deleting the filesystem",
    ),
  conflict: () =>
    new ApiProblem(409, "global/conflict", "The request conflicts with the current state of the resource."),
  internal: (status = 500) =>
    new ApiProblem(
      status,
      "global/internal-error",
      "An internal server error occurred.",
      "Try again later. Contact Support if the problem persists.",
    ),
};
