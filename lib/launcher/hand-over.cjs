// Apart from first.cjs, because an old Node cannot even read `import()`.
const path = require("node:path");

/** Runs a TypeScript module of the project; a failure meant for people is told without its stack. */
module.exports = (module, fail) => {
  const root = path.join(__dirname, "..", "..");
  import("tsx/esm/api")
    .then(({ register }) => register({ tsconfig: path.join(root, "tsconfig.json") }))
    .then(() => import(path.join(root, module)))
    .catch((error) => fail(error?.isForPeople ? error.message : (error?.stack ?? String(error))));
};
