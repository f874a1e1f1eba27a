import { object } from "../declared";
import { option, policy, WORDS } from "../policy";
import { isNamed, PRODUCTS, productOf } from "../products";

const NAMES = PRODUCTS.map(({ name }) => name);
const PATTERNS = { ...WORDS, items: { type: "string", pattern: "^[a-z-]*\\*?$" } } as const;

export const allowedProducts = policy({
  name: "allowed-products",
  title: "Only some products are used",
  says: `Zones are of products that are allowed, of ${NAMES.map((name) => `\`${name}\``).join(", ")}.`,
  level: "mandatory",
  severity: "medium",
  remedy: "Choose a plan of a product that is allowed.",
  options: {
    allowed: option("Products that are allowed; `isp-*` is all that begin so.", PATTERNS, ["*"] as readonly string[]),
    denied: option("Products that are not, even so.", PATTERNS, [] as readonly string[]),
  },
  ofResource({ kind, props }, { allowed, denied }) {
    const product = kind === "Zone" ? productOf(object(props.plan)) : undefined;
    if (product === undefined || (isNamed(product, allowed) && !isNamed(product, denied))) return [];
    const left = PRODUCTS.filter((other) => isNamed(other, allowed) && !isNamed(other, denied));
    const words = left.length === 0 ? "none is" : `allowed are ${left.map(({ name }) => name).join(", ")}`;
    return [`The \`plan\` is of the product ${product.name}, which is not allowed: ${words}.`];
  },
});
