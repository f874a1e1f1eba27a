export * from "./exports";
export * from "./generated";
export { Provider } from "./program/provider";
