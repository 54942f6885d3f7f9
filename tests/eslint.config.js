// How every JavaScript file of the repository is linted: `make lint` runs eslint at its root with this.
import js from "@eslint/js";
import globals from "globals";

export default [
  { ignores: ["**/node_modules/", "**/dist/", "pkg/", "target/", ".tools/local/"] },
  js.configs.recommended,
  {
    languageOptions: { ecmaVersion: "latest", sourceType: "module" },
    linterOptions: { reportUnusedDisableDirectives: "error" },
    rules: {
      eqeqeq: ["error", "always", { null: "ignore" }],
      "no-unused-vars": ["error", { argsIgnorePattern: "^_" }],
      "no-var": "error",
      "object-shorthand": "error",
      "prefer-const": "error",
    },
  },
  // What runs in a page, in a worker or in Node: only names that all of them have.
  { files: ["src/web/**"], languageOptions: { globals: { ...globals["shared-node-browser"], ...globals.worker } } },
  { files: ["www/**"], languageOptions: { globals: globals.browser } },
  // Tests run in Node, and hand functions over to a page.
  { files: ["tests/**", ".tools/**", "www/**/*.config.js", "www/data/**"], languageOptions: { globals: { ...globals.node, ...globals.browser } } },
];
