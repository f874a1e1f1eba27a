import { ManagerUser, type ManagerUserArgs } from "../../../src";
import type { Sample } from "../sample";

const EMAIL = "ops@example.com";

export const samples: Sample[] = [
  {
    make: (name, args, options) => new ManagerUser(name, args as unknown as ManagerUserArgs, options),
    prepare({ manager }) {
      manager.state.users.push({ email: "someone@example.com", password: "Sample-Secret-Someone" });
    },
    args: { email: EMAIL },
    changes: {
      email: { args: { email: "dev@example.com" }, replaces: true, final: true },
      adopt: { args: { adopt: true } },
      timeouts: { args: { timeouts: { create: 300 } } },
    },
    touches: ({ email }) => [`user ${email}`],
    holds: (world, { email }) => world[`user ${email}`] !== undefined,
    leaves: { touched: ({ email }) => [`user ${email}`], reason: "the manager cannot remove a user" },
    vanish({ manager: { state } }) {
      state.users = state.users.filter(({ email }) => email !== EMAIL);
    },
    foreign: {
      place({ manager }) {
        manager.state.users.push({ email: EMAIL, password: "Sample-Secret-Other" });
      },
      adoptable: true,
    },
  },
];
