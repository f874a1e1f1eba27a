import { test } from "vitest";
import { startAzurite } from "../../scripts/backends/azure.mts";
import { live } from "./scenario";

test("a stack lives in a container with the API of Azure Blob Storage: Azurite", () => live(startAzurite()));
