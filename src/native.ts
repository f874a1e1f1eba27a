export * from "./exports";
export * from "./generated/native";
export { NativeProvider as Provider } from "./program/provider";
