/** How much the manager writes to its log, from little to much. */
export const MANAGER_LOG_LEVELS = ["error", "warn", "notice", "info", "debug"] as const;
export type ManagerLogLevel = (typeof MANAGER_LOG_LEVELS)[number];
