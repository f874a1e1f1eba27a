import { test } from "vitest";
import { startFolder } from "../../scripts/backends/folder.mts";
import { live } from "./scenario";

test("a stack lives in a folder", () => live(startFolder()));
