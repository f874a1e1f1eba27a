import { isDeepStrictEqual } from "node:util";
import { claimsOf } from "./claims.mts";
import type { Entry } from "./engine.mts";
import type { Edit } from "./engines.mts";
import type { RunStep } from "./history.mts";
import type { Playing } from "./playing.mts";
import { type Resource, urnOf } from "./program.mts";
import type { Stage } from "./stage.mts";

/** What a person does with the state of a stack, and what nobody is asked for then. */
export function edit(stage: Stage, index: number, edited: Edit): void {
  const playing = stage.playing[index] as Playing;
  const { engine } = playing;
  const books = stage.booksOf(playing);
  const before = engine.state;
  engine.edit?.(edited);
  if (edited.what === "rename") {
    playing.name = edited.to;
    playing.backups.length = 0;
    // Of what was begun under another name nobody is asked.
    for (const { come } of playing.begun.splice(0)) books.excuses.add(come);
    // Nor of what was to replace by force what the plugin has recorded: its place is that of its URN, and no mark was told.
    const isPlaced = (urn: string) => before.some((entry) => entry.urn === urn && entry.outputs.__key !== undefined);
    for (const { urn, come, isForced } of playing.changed) if (isForced && !isPlaced(urn)) books.excuses.add(come);
  }
  if (edited.what !== "forget") return;
  const forgotten = before.filter((entry) => !engine.state.some((each) => isDeepStrictEqual(each, entry)));
  // It stays where it is.
  for (const entry of forgotten) books.excuses.add(claimsOf(entry).keys());
  // And of what a change that was cut short has made in its place, nobody is asked.
  const urns = forgotten.map(({ urn }) => urn);
  for (const { urn, come } of playing.changed) if (urns.includes(urn)) books.excuses.add(come);
  books.doubt(forgotten);
  playing.isRestored ||= forgotten.length > 0;
}

/** Of what was to replace by force what a program in another language has moved since, nobody is asked: it says nothing of that. */
export function move(stage: Stage, { program }: { program: readonly Resource[] }, playing: Playing): void {
  if (playing.form !== "foreign") return;
  const isMoved = (urn: string) =>
    program.some(
      ({ kind, name, options }) =>
        urnOf(kind, name) === urn &&
        playing.engine.state.some((entry) => entry.urn === urn && entry.parent !== options?.parent),
    );
  for (const { urn, come, isForced } of playing.changed)
    if (isForced && isMoved(urn)) stage.booksOf(playing).excuses.add(come);
}

/** Excuses what a run has taken from the state and was told to leave where it is. */
export function retain(stage: Stage, run: RunStep, before: readonly Entry[]): void {
  const playing = stage.playing[run.stack] as Playing;
  const program = run.do === "up" ? run.program : run.isWithProgram === true ? playing.program : [];
  const left = new Set(playing.engine.state.flatMap((entry) => [...claimsOf(entry).keys()]));
  const { state } = playing.engine;
  const isMeant = (entry: Entry) =>
    isRetained(entry, program) || isWithAnother(entry, program, before) || isWithWhatStays(entry, state);
  // What is made anew over what stays finds that there, and leaves it so.
  const namesOf = (entry: Entry) =>
    [...claimsOf(entry).keys()].filter((name) => entry.tainted === true || !left.has(name));
  const gone = before.filter(isMeant).flatMap(namesOf);
  stage.booksOf(playing).excuses.add(gone);
  // And of what a change that was cut short has made in its place, nobody is asked.
  const isLeft = (urn: string) => playing.engine.state.some((entry) => entry.urn === urn);
  const forgotten = before.filter((entry) => isMeant(entry) && !isLeft(entry.urn)).map(({ urn }) => urn);
  for (const { urn, come } of playing.changed) if (forgotten.includes(urn)) stage.booksOf(playing).excuses.add(come);
  playing.isRestored ||= gone.length > 0;
}

const isRetained = ({ urn, retained }: Entry, program: readonly Resource[]): boolean =>
  retained === true ||
  program.some(({ kind, name, options }) => urnOf(kind, name) === urn && options?.retainOnDelete === true);

/**
 * Whether it was to go with what has stayed: where that could not be deleted, the engine has forgotten it by then, and asked nobody.
 * Classes see to what is paid for, or refused when it is made again.
 */
const isWithWhatStays = ({ urn, deletedWith }: Entry, state: readonly Entry[]): boolean =>
  deletedWith !== undefined && !/^(ZoneIps|ZonePassword) /.test(urn) && state.some((each) => each.urn === deletedWith);

/** Whether it is said to go with a zone that it does not stand on. */
function isWithAnother(entry: Entry, program: readonly Resource[], state: readonly Entry[]): boolean {
  const declared = program.find(({ kind, name }) => urnOf(kind, name) === entry.urn);
  const urn = declared?.deletedWith ?? entry.deletedWith;
  return urn !== undefined && state.find((each) => each.urn === urn)?.outputs.name !== entry.outputs.zone;
}
