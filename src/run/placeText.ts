/**
 * A place as programs tell it, and as states have it: what stands for it, and, for the same place in a stack of any name. States that
 * no update has changed since `pulumi stack rename` or `pulumi state move` have the place of before.
 */
export const placeText = (place: string, spot: string): string => `${place}.${spot}`;

export const placeIn = (text: string): string => text.split(".", 1)[0] as string;

/** What stands for the place in a stack of any name; `undefined` where an earlier version has told the place. */
export const spotIn = (text: string): string | undefined => text.split(".")[1];
