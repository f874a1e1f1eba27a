import { startAzurite } from "../../scripts/backends/azure.mts";
import { live } from "./scenario";

live("a container with the API of Azure Blob Storage: Azurite", startAzurite);
