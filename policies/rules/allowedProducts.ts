import { quoted } from "../declared";
import { option, policy, WORDS } from "../policy";
import { isDecided, isNamed, PRODUCTS, type Product, productOf } from "../products";
import { planOf } from "../zones";

const NAMES = PRODUCTS.map(({ name }) => name);
const BEGINNINGS = NAMES.flatMap((name) => {
  const [word = ""] = name.split("-");
  return name === word ? [`${word}*`] : [`${word}*`, `${word}-*`];
});
const KNOWN = [...NAMES, ...new Set(BEGINNINGS), "*"].map((each) => each.replace("*", "\\*"));
const PATTERNS = { ...WORDS, items: { type: "string", pattern: `^(${KNOWN.join("|")})$` } } as const;

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
  ofResource(resource, { allowed, denied }) {
    const plan = planOf(resource);
    if (resource.kind !== "Zone" || !isDecided(plan)) return [];
    const isAllowed = (product: Product) => isNamed(product, allowed) && !isNamed(product, denied);
    const product = productOf(plan);
    if (product === undefined ? PRODUCTS.every(isAllowed) : isAllowed(product)) return [];
    const left = PRODUCTS.filter(isAllowed).map(({ name }) => name);
    const words = left.length === 0 ? "none is" : `allowed are ${left.join(", ")}`;
    return [
      product === undefined
        ? `The \`plan\` of type ${quoted(plan.type)} is of no known product: ${words}.`
        : `The \`plan\` is of the product ${product.name}, which is not allowed: ${words}.`,
    ];
  },
});
