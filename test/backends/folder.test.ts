import { startFolder } from "../../scripts/backends/folder.mts";
import { live } from "./scenario";

live("a folder", startFolder);
