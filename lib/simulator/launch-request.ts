import { instanceTypes, regionNamed } from "./catalogue";
import { chooseImage, type Image } from "./images";
import { problems } from "./problems";
import type { RequestBody } from "./request-body";
import type { CloudState, FileSystem, Machine, Tag } from "./types";
import { existsAt } from "./views";

/** A launch body whose every field has the right form; whether its objects exist is another question. */
export type LaunchRequest = {
  typeName: string;
  regionName: string;
  sshKeyNames: string[];
  fileSystemNames: string[];
  fileSystemMounts: { mountPoint: string; fileSystemId: string }[];
  hostname: string | null;
  name: string | null;
  image: { id: string } | { family: string } | null;
  userData: string | null;
  tags: Tag[];
};

/** `POST /instance-operations/launch`: form and bounds (lambda-cloud-api.md section 2.1). */
export function readLaunch(body: RequestBody): LaunchRequest {
  const request: LaunchRequest = {
    regionName: body.string("region_name"),
    typeName: body.string("instance_type_name"),
    sshKeyNames: body.strings("ssh_key_names"),
    fileSystemNames: body.optionalStrings("file_system_names"),
    fileSystemMounts: body.objects("file_system_mounts").map((mount) => ({
      mountPoint: mount.string("mount_point", { max: 256, pattern: /^(\/home|\/lambda\/nfs|\/data)[//a-zA-Z0-9-]*$/ }),
      fileSystemId: mount.string("file_system_id"),
    })),
    hostname: body.optionalString("hostname", { min: 1, max: 63, pattern: /^[a-z0-9][0-9a-z-]{0,62}$/ }),
    name: body.optionalString("name", { max: 64 }),
    image: readImage(body.object("image")),
    userData: body.optionalString("user_data"),
    tags: body.objects("tags").map((tag) => ({
      key: tag.string("key", { max: 55, pattern: /^[a-z][a-z0-9-:]+$/ }),
      value: tag.string("value", { max: 128 }),
    })),
  };
  body.atMost("quantity", 1);
  if (request.sshKeyNames.length !== 1) {
    throw body.wrong("ssh_key_names", `List should have exactly 1 item, not ${request.sshKeyNames.length}`);
  }
  if (Buffer.byteLength(request.userData ?? "") > 1_000_000)
    throw body.wrong("user_data", "Input should be at most 1MB");
  return request;
}

function readImage(image: RequestBody | null): LaunchRequest["image"] {
  if (!image) return null;
  const id = image.optionalString("id");
  if (id !== null) return { id };
  return { family: image.string("family") };
}

/** What a launch refers to, found; refuses in the order of lambda-cloud-api.md section 7, item 2. */
export function resolveLaunch(
  state: CloudState,
  request: LaunchRequest,
  at: number,
): { mounts: Machine["mounts"]; image: Image } {
  if (!instanceTypes.has(request.typeName)) throw problems.launchObjectNotFound("instance type");
  if (!regionNamed(request.regionName)) throw problems.invalid(`Region ${request.regionName} does not exist`);
  const [keyName] = request.sshKeyNames;
  if (!state.sshKeys.some((key) => key.name === keyName && key.deletedAt === null)) {
    throw problems.launchObjectNotFound("SSH key");
  }
  const there = state.fileSystems.filter((fileSystem) => existsAt(fileSystem, at));
  const mounts = new Map<string, Machine["mounts"][number]>();
  const found: FileSystem[] = [];
  const mount = (fileSystem: FileSystem | undefined, mountPoint: string | null) => {
    if (!fileSystem) throw problems.launchObjectNotFound("filesystem");
    const { id, name } = fileSystem;
    found.push(fileSystem);
    mounts.set(id, { fileSystemId: id, name, mountPoint: mountPoint ?? `/lambda/nfs/${name}` });
  };
  for (const name of request.fileSystemNames) {
    mount(
      there.find((one) => one.name === name && one.regionName === request.regionName) ??
        there.find((one) => one.name === name),
      null,
    );
  }
  for (const { fileSystemId, mountPoint } of request.fileSystemMounts) {
    mount(
      there.find(({ id }) => id === fileSystemId),
      mountPoint,
    );
  }
  const image = chooseImage(request.image, request.regionName, request.typeName);
  if (!image && request.image) throw problems.launchObjectNotFound("image");
  if (found.some(({ regionName }) => regionName !== request.regionName)) throw problems.wrongRegion();
  if (!image) throw problems.noCapacity();
  return { mounts: [...mounts.values()], image };
}
