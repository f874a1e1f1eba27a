import { freePort } from "../../scripts/freePort.mts";
import { DEFAULT_ZONES, type RealManager, startRealManager } from "../../scripts/real-manager/index.mts";
import { startSimulator } from "../../simulator";
import { SUPER_PROXY, startSuperProxy } from "./superProxy";

export interface Both {
  real: RealManager;
  simulator: Awaited<ReturnType<typeof startSimulator>>;
  /** What stands behind the real one has seen, of user names. */
  usernames: readonly string[];
  /** The number of the real one's drop-in port; the simulator's is 22225. */
  dropin: number;
  stop(): Promise<void>;
}

/** Below the numbers that both give to ports by themselves, like the simulator's. */
const DROPIN = 22_226;

/** The vendor's program with a stand-in for the vendor's proxy behind it, and the simulator, each with the same account. */
export async function startBoth(): Promise<Both> {
  const www = await freePort();
  const simulator = await startSimulator({ customer: "hl_test1", manager: { listen: true, www } });
  for (const [name, { plan, password }] of Object.entries(DEFAULT_ZONES)) {
    const zone = simulator.account.addZone(name, plan as { type: string });
    zone.password = [password];
    if (plan.disable) zone.status = "disabled";
  }
  simulator.manager.state.settings.lpm_token = "lpmtok1234|hl_test1";
  const superProxy = await startSuperProxy(simulator.account);
  const real = await startRealManager({
    port: www,
    superProxy: SUPER_PROXY,
    args: ["--dropin", "--dropin_port", String(DROPIN)],
  }).catch((error: unknown) => {
    superProxy.stop();
    throw error;
  });
  return {
    real,
    simulator,
    dropin: DROPIN,
    usernames: superProxy.usernames,
    async stop() {
      await real.stop();
      superProxy.stop();
      await simulator.close();
    },
  };
}
