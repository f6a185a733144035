import { expect, test } from 'vitest'
import { diagnosisLines } from '../../src/cli/operation/diagnosis.ts'

test('the doctor tells findings of one kind together, and once what mends several of them', () => {
  const lines = diagnosisLines([
    { kind: 'journal', what: 'log 5: its journal has a gap', mend: 'restore the last backup' },
    { kind: 'directory', what: 'Others may look into it', mend: 'chmod 700 farm' },
    { kind: 'journal', what: 'log 7: the journal does not know it', mend: 'restore the last backup' },
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
