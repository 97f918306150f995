export const DIMENSIONS = ["team", "project", "type", "region", "instance"] as const;
