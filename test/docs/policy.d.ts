// The part of @pulumi/policy, which is no dependency of this package, that the documents use.
import type { Resource, Unwrap } from "@pulumi/pulumi";

type Report = (message: string, urn?: string) => void;

export interface ResourceValidationArgs {
  type: string;
  props: Record<string, unknown>;
  opts: { protect: boolean };
  isType(resourceClass: abstract new (...rest: never[]) => Resource): boolean;
}

export type ResourceValidation = (args: ResourceValidationArgs, reportViolation: Report) => void;

export interface Policy {
  name: string;
  description: string;
  enforcementLevel?: "advisory" | "mandatory" | "disabled";
  validateResource: ResourceValidation;
}

export class PolicyPack {
  constructor(name: string, args: { policies: Policy[] });
}

export function validateResourceOfType<TArgs>(
  resourceClass: new (name: string, args: TArgs, ...rest: never[]) => Resource,
  validate: (props: Unwrap<NonNullable<TArgs>>, args: ResourceValidationArgs, reportViolation: Report) => void,
): ResourceValidation;
