import { list, object, text } from "../declaration/property";

/** The files of a delivery. */
export const deliveredFiles = list(
  object(
    {
      filename: text({ says: "Name of the file.", required: true }),
      deliveredAt: text({ says: "When it was delivered, ISO 8601; absent where the service does not say." }),
    },
    { named: "DeliveredFile", says: "A file that has been delivered." },
  ),
  { says: "The files that have been delivered.", required: true },
);
