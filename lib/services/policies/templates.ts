import { findSaved } from "@/lib/db/saved";
import { LaunchTemplate } from "@/lib/domain/intents/templates";
import type { Verdict } from "@/lib/domain/policies/decide";
import type { PolicyLaunch } from "@/lib/services/intents/automatic";

/** One machine from a template, where a policy says which type and region it found. */
export async function launchOf(
  { templateId, typeName, region }: NonNullable<Verdict["launch"]>,
  now: Date,
): Promise<PolicyLaunch["launch"] | { why: string }> {
  const item = await findSaved("launch_template", templateId);
  const template = LaunchTemplate.safeParse(item?.body);
  if (!item || !template.success) return { why: "Its launch template was removed, or fits no more." };
  const { leaseMs, ...rest } = template.data;
  return {
    ...rest,
    typeName: typeName ?? rest.typeName,
    region: region ?? rest.region,
    // A file system is of one region; elsewhere it cannot be attached.
    fileSystemName: region === null || region === rest.region ? rest.fileSystemName : null,
    count: 1,
    leaseUntil: leaseMs === null ? null : now.getTime() + leaseMs,
  };
}
