import { expect, test } from 'vitest'
import { Diagnoses } from '../../src/cli/doctor.ts'
import type { Diagnosis } from '../../src/storage/doctor/finding.ts'

function linesFor(found: readonly Diagnosis[]): readonly string[] {
  const diagnoses = new Diagnoses()
  for (const diagnosis of found) diagnoses.add(diagnosis)
  return diagnoses.lines()
}

test('the doctor tells findings of one kind together, and once what mends several of them', () => {
  const lines = linesFor([
    { kind: 'journal', what: 'log 5: its journal has a gap', mend: 'restore the last backup', alike: 'records' },
    { kind: 'directory', what: 'Others may look into it', mend: 'chmod 700 farm' },
    { kind: 'journal', what: 'log 7: the journal does not know it', mend: 'restore the last backup', alike: 'records' },
    { kind: 'directory', what: 'There is no room', mend: 'make room' },
  ])
  expect(lines.join('\n')).toBe(`The data directory:
  Others may look into it.
    To mend: chmod 700 farm.
  There is no room.
    To mend: make room.

The journal:
  log 5: its journal has a gap.
  log 7: the journal does not know it.
    To mend: restore the last backup.`)
})

test('the doctor sums up what is alike, and gives an advice once however much it mends', () => {
  const many = Array.from({ length: 1207 }, (_, nth) => ({ what: `log ${nth + 1} is lost`, alike: 'lost logs' }))
  const restoring = { mend: 'restore the last backup' }
  const lines = linesFor([
    ...many.map((one) => ({ kind: 'journal' as const, ...restoring, ...one })),
    { kind: 'counts', what: 'There are 5 of log', mend: 'rebuild it', alike: 'wrong counts' },
    { kind: 'files', what: 'File 3 is gone', ...restoring, alike: 'files' },
  ])
  expect(lines.join('\n')).toBe(`The journal:
  log 1 is lost.
  log 2 is lost.
  log 3 is lost.
  log 4 is lost.
  log 5 is lost.
  And 1,202 more lost logs.
Photos and files:
  File 3 is gone.
To mend all of these: restore the last backup.

Counts and numbers:
  There are 5 of log.
    To mend: rebuild it.`)
})
