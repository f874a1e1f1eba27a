// What the CLI starts for `pulumi package add` of this folder: the plugin of the package.
const { dirname, join } = require("node:path");

require(join(dirname(require.resolve("pulumi-brightdata/package.json")), "dist/plugin.js"));
