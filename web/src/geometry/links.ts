import type { Cell } from '../protocol/cell';
import type { Geometry } from '../protocol/problem';
import type { Region } from './region';
import { sourcesOf } from './sources';
import { targetsOf } from './targets';

/** The cells linked to a cell. */
export interface Links {
  /** What it is computed from. */
  readonly sources: readonly Region[];
  /** What it is used by. */
  readonly targets: readonly Region[];
}

/** `dyOfY`: dy is the gradient of a loss at y, otherwise it is given. */
export const linksOf = (g: Geometry, cell: Cell, dyOfY = false): Links => ({
  sources: sourcesOf(g, cell, dyOfY),
  targets: targetsOf(g, cell, dyOfY),
});
