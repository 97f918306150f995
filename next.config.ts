import type { NextConfig } from "next";

const config: NextConfig = {
  typedRoutes: true,
  poweredByHeader: false,
  images: { unoptimized: true },
  serverExternalPackages: [
    "@node-rs/argon2",
    "pg",
    "pg-copy-streams",
    "undici",
    "@prisma/client",
    "@prisma/adapter-pg",
  ],
  experimental: {
    // What nobody asks for stays out of memory.
    preloadEntriesOnStart: false,
    // Made once per version and read by nobody: 300 MB each, and a fifth of the build.
    turbopackSourceMaps: false,
    turbopackFileSystemCacheForBuild: false,
    serverActions: { bodySizeLimit: "3mb" },
    proxyClientMaxBodySize: "3mb",
  },
  // Types and lint are checked by npm test; a build on a user's machine need not repeat them.
  typescript: { ignoreBuildErrors: true },
};

export default config;
