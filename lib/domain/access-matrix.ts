import { PERMISSIONS, type Permission } from "./access";

const GROUPS: readonly (readonly [title: string, rights: readonly Permission[]])[] = [
  ["Look", ["fleet:read", "cost:read", "export", "wallboard:read", "audit:read"]],
  ["Alerts", ["alert:acknowledge", "rule:write"]],
  [
    "Instances",
    [
      "intent:launch",
      "intent:terminate",
      "intent:terminate-many",
      "intent:restart",
      "intent:approve",
      "intent:break-glass",
      "protection:set",
      "protection:lift",
      "lease:extend",
      "label:write",
      "run:write",
      "deploy:write",
      "cloud:write",
    ],
  ],
  ["Automation", ["automation:stop", "automation:resume", "policy:write", "policy:arm"]],
  ["Money", ["budget:write", "price:write", "allocation:write", "invoice:read", "invoice:write", "cost:close"]],
  ["Plan", ["alignment:write", "plan:write"]],
  ["House", ["token:ingest", "token:api", "people:write", "setting:write"]],
];

/** All rights in the order in which a person looks for them; one that no group names stands in the last. */
export function matrixGroups(): { title: string; rights: Permission[] }[] {
  const named = new Set(GROUPS.flatMap(([, rights]) => rights));
  const left = (Object.keys(PERMISSIONS) as Permission[]).filter((right) => !named.has(right));
  return GROUPS.map(([title, rights], index) => ({
    title,
    rights: index === GROUPS.length - 1 ? [...rights, ...left] : [...rights],
  }));
}
