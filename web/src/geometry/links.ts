import type { Cell } from '../protocol/cell';
import type { Geometry } from '../protocol/problem';
import { feeds } from './feeds';
import { reads } from './reads';
import type { Region } from './region';

/** What a cell is joined to. */
export interface Links {
  /** What it is made of. */
  readonly sources: readonly Region[];
  /** What it feeds. */
  readonly targets: readonly Region[];
}

/** `dyOfY`: dy is the gradient of a loss at y, else it is given. */
export const linksOf = (g: Geometry, cell: Cell, dyOfY = false): Links => ({
  sources: reads(g, cell, dyOfY),
  targets: feeds(g, cell, dyOfY),
});
