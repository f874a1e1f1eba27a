import type * as pulumi from "@pulumi/pulumi";
import { isResource, lookUp, OldResource, type TimeoutsArgs, typeOf } from "../../program/resource";

/** A flag of a plan: a boolean, or one of the spellings that the service and its older documentation use. */
export type PlanFlag = boolean | "true" | "false" | 0 | 1 | "0" | "1";

/** A number of things in a plan: a number, or its digits. */
export type PlanCount = number | string;

/**
 * What a zone offers and what it costs. The service has no way to change a plan: every change of it makes a new zone, but
 * for those of `ips` and `vips`, which are refused. Which fields a product needs is in the table of `docs/zone.md`.
 */
export interface ZonePlanArgs {
  /**
   * Kind of network: `static` (datacenter and ISP), `resident` (residential and mobile), `unblocker` (Web Unlocker and SERP
   * API) or `browser_api`.
   *
   * @example "static"
   */
  type: pulumi.Input<"static" | "resident" | "unblocker" | "browser_api">;
  /**
   * Who uses the IPs: `shared`, `dedicated`, or `selective` (with `domainWhitelist`).
   *
   * @example "dedicated"
   */
  ipsType?: pulumi.Input<"shared" | "dedicated" | "selective">;
  /**
   * How traffic is billed: `bandwidth` (by the gigabyte; read back as `payperusage`) or `unlimited` (with `unlBwTiers`).
   *
   * @default "bandwidth"
   */
  bandwidth?: pulumi.Input<"bandwidth" | "unlimited" | "payperusage">;
  /**
   * Tier of unlimited bandwidth. Without it the service ignores `bandwidth: "unlimited"`.
   *
   * @example "std"
   */
  unlBwTiers?: pulumi.Input<string>;
  /**
   * Pool of a `static` plan: `dc` (datacenter) or `static_res` (ISP).
   *
   * @default "dc"
   */
  poolIpType?: pulumi.Input<"dc" | "static_res">;
  /** Preset of the allocation: `shared_block` or `shared_res_block`. */
  ipAllocPreset?: pulumi.Input<string>;
  /**
   * Number of IPs that the zone is made with. Each is billed. Declare further ones with a `ZoneIps`.
   *
   * @default 0
   */
  ips?: pulumi.Input<PlanCount>;
  /**
   * Country of the IPs, two letters; sent in lower case, the only one that the service understands.
   *
   * @default "any"
   */
  country?: pulumi.Input<string>;
  /**
   * City of the IPs, as the service writes it.
   *
   * @default "any"
   * @example "us-chicago"
   */
  countryCity?: pulumi.Input<string>;
  /** Whether requests may name a city. @default false */
  city?: pulumi.Input<PlanFlag>;
  /** Whether requests may name an ASN. @default false */
  asn?: pulumi.Input<PlanFlag>;
  /** Whether a `resident` plan uses mobile IPs. @default false */
  mobile?: pulumi.Input<PlanFlag>;
  /** Whether an `unblocker` plan is the SERP API. @default false */
  serp?: pulumi.Input<PlanFlag>;
  /** Whether the plan has gIPs (groups of residential IPs). @default false */
  vip?: pulumi.Input<PlanFlag>;
  /** Number of gIPs that the zone is made with. Each is billed. @default 0 */
  vips?: pulumi.Input<PlanCount>;
  /** Who uses the gIPs: `shared`, or `domain` (dedicated to the domains of `domainWhitelist`). */
  vipsType?: pulumi.Input<"shared" | "domain" | "domain_p">;
  /** Country of the gIPs, two letters; with `vipsType: "domain"` only. @default "any" */
  vipCountry?: pulumi.Input<string>;
  /** City of the gIPs. @default "any" */
  vipCountryCity?: pulumi.Input<string>;
  /**
   * Target domains that the zone may be used for, separated by blanks.
   *
   * @example "example.com example.org"
   */
  domainWhitelist?: pulumi.Input<string>;
  /** Whether the Web Unlocker may use premium domains. @default false */
  ubPremium?: pulumi.Input<PlanFlag>;
  /** Whether CAPTCHAs are left unsolved. @default true */
  solveCaptchaDisable?: pulumi.Input<PlanFlag>;
  /** Whether requests may carry headers and cookies of their own. @default false */
  customHeaders?: pulumi.Input<PlanFlag>;
  /**
   * Further fields, sent as they are, in the service's own spelling.
   *
   * @example { exclusive_type: "category" }
   */
  extra?: pulumi.Input<Record<string, pulumi.Input<unknown>>>;
}

/** A plan as the service has it: the fields of {@link ZonePlanArgs}, and what the service adds, in camel case. */
export interface ZonePlan {
  type: string;
  /** ISO 8601; when the plan began. */
  start?: string;
  /** The product that the service makes of the plan, such as `dc`, `res_rotating`, `unblocker`. */
  product?: string;
  ipsType?: string;
  bandwidth?: string;
  unlBwTiers?: string;
  poolIpType?: string;
  ipAllocPreset?: string;
  ips?: PlanCount;
  country?: string;
  countryCity?: string;
  city?: PlanFlag;
  asn?: PlanFlag;
  mobile?: PlanFlag;
  serp?: PlanFlag;
  vip?: PlanFlag;
  vips?: PlanCount;
  vipsType?: string;
  vipCountry?: string;
  vipCountryCity?: string;
  domainWhitelist?: string;
  ubPremium?: PlanFlag;
  solveCaptchaDisable?: PlanFlag;
  customHeaders?: PlanFlag;
  extra?: Record<string, unknown>;
  [field: string]: unknown;
}

/** Arguments of a {@link Zone}. */
export interface ZoneArgs {
  /**
   * Name of the zone: 3 to 63 of the characters a–z, 0–9 and `_`; one that exists already may have capitals and hyphens too. A
   * change makes a new zone.
   *
   * @default the resource's name with a suffix that follows from its place in the program and the plan; kept across updates,
   * another with a replacement
   * @example "web_scraping"
   */
  name?: pulumi.Input<string>;
  /**
   * What the service calls the zone's type, such as `dc`, `ISP`, `serp`. It decides little: the product follows from the plan.
   * A change makes a new zone.
   */
  type?: pulumi.Input<string>;
  /** What the zone offers and costs. A change makes a new zone. */
  plan: pulumi.Input<ZonePlanArgs>;
  /** Whether the zone is switched off. Changed in place. @default false */
  disabled?: pulumi.Input<boolean>;
  /**
   * Takes over a zone of that name that exists already, instead of failing. What cannot be changed in place must be declared
   * as it is. Destroying the resource deletes the zone then.
   *
   * @default false
   */
  adopt?: pulumi.Input<boolean>;
  /** Seconds that the operations may take. @default { create: 120, read: 60, update: 120, delete: 120 } */
  timeouts?: pulumi.Input<TimeoutsArgs>;
}

/**
 * A zone: a set of proxies with a plan, a name and passwords.
 *
 * `POST /zone`, `GET /zone`, `POST /zone/change_disable` and `DELETE /zone` of the remote service.
 *
 * @example
 * const zone = new brightdata.Zone("web", {
 *   plan: { type: "static", ipsType: "shared", country: "us" },
 * }, { protect: true });
 * export const password = zone.password;
 */
export class Zone extends OldResource {
  /** @internal */
  static readonly __pulumiType = typeOf("Zone");

  /** Name of the zone; also the resource's id. */
  declare readonly name: pulumi.Output<string>;
  /** The type that was declared. */
  declare readonly type: pulumi.Output<string | undefined>;
  /** The plan as the service has it. */
  declare readonly plan: pulumi.Output<ZonePlan>;
  /** Whether the zone is switched off. */
  declare readonly disabled: pulumi.Output<boolean>;
  declare readonly adopt: pulumi.Output<boolean | undefined>;
  declare readonly timeouts: pulumi.Output<Record<string, number> | undefined>;
  /** When the zone was made, ISO 8601. */
  declare readonly created: pulumi.Output<string | undefined>;
  /** The zone's passwords; the proxies accept any of them. Secret. */
  declare readonly passwords: pulumi.Output<string[]>;
  /** The first of the zone's passwords. Secret. */
  declare readonly password: pulumi.Output<string | undefined>;
  /** Client addresses that may use the zone; `any` for all. */
  declare readonly ips: pulumi.Output<string[]>;
  /** What requests may name, separated by blanks, such as `country city`. */
  declare readonly perm: pulumi.Output<string | undefined>;
  declare readonly description: pulumi.Output<string | undefined>;
  /** `active` or `disabled`. */
  declare readonly status: pulumi.Output<string>;

  /**
   * @param name logical name of the resource
   * @throws an error at the update when the zone exists already (see {@link ZoneArgs.adopt}), when the token may not make
   *   zones, or when the account has to be verified first
   */
  constructor(name: string, args: ZoneArgs, options?: pulumi.CustomResourceOptions) {
    const isLookUp = options?.id !== undefined;
    super(
      "Zone",
      name,
      args,
      {
        name: args.name,
        type: args.type,
        plan: args.plan,
        disabled: args.disabled,
        adopt: args.adopt,
        timeouts: args.timeouts,
        created: undefined,
        passwords: undefined,
        password: undefined,
        ips: undefined,
        perm: undefined,
        description: undefined,
        status: undefined,
        __autoname: isLookUp ? undefined : name,
      },
      { secretOutputs: ["password", "passwords"], isNamed: args.name !== undefined },
      options,
    );
  }

  /**
   * Looks up a zone that exists, without managing it: nothing is ever changed or deleted.
   *
   * @param name logical name in the program
   * @param id name of the zone
   */
  static get(name: string, id: pulumi.Input<pulumi.ID>, options?: pulumi.CustomResourceOptions): Zone {
    return new Zone(name, {} as ZoneArgs, lookUp(id, options));
  }

  /** Whether a value is a zone, even of another copy of this package. */
  static override isInstance(value: unknown): value is Zone {
    return isResource(value, Zone.__pulumiType);
  }
}
