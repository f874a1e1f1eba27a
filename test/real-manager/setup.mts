// Once for all test files, which run side by side.
export { installRealManager as default } from "../../scripts/real-manager/install.mts";
