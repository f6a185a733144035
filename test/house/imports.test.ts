import { describe, expect, it } from 'vitest'
import {
  barrels,
  commandFaults,
  cycles,
  directionFaults,
  doorFaults,
  extensionFaults,
  libraryFaults,
  programFaults,
} from './imports.ts'
import { sources, type TextFile } from './tree.ts'

const file = (path: string, ...imported: readonly string[]): TextFile => ({
  path,
  text: `${imported.map((from) => `import { thing } from '${from}'`).join('\n')}\nexport const own = 1\n`,
})

describe('the house', () => {
  it('imports only from its own room and from rooms to the left', () => {
    expect(directionFaults(sources())).toEqual([])
  })
  it('has doors that stand on the floor and not on each other', () => {
    expect(doorFaults(sources())).toEqual([])
  })
  it('has programs that know no door and no other program', () => {
    expect(programFaults(sources())).toEqual([])
  })
  it('has commands that open the doors only to serve them', () => {
    expect(commandFaults(sources())).toEqual([])
  })
  it('knows each library in one room', () => {
    expect(libraryFaults(sources())).toEqual([])
  })
  it('imports files with their extension', () => {
    expect(extensionFaults(sources())).toEqual([])
  })
  it('has no import cycles', () => {
    expect(cycles(sources())).toEqual([])
  })
  it('has no barrels', () => {
    expect(barrels(sources())).toEqual([])
  })
})

describe('the import rules', () => {
  it('see a room that reaches to its right', () => {
    expect(directionFaults([file('src/storage/open.ts', '../records/create.ts')])).toHaveLength(1)
    expect(directionFaults([file('src/fields/text.ts', '../farm/farm.ts')])).toHaveLength(1)
    expect(directionFaults([file('src/cli/serve.ts', '../doors/open-doors.ts', '../refusal.ts')])).toEqual([])
  })
  it('see a leftmost file that reaches into a room', () => {
    expect(directionFaults([file('src/config.ts', './farm/farm.ts')])).toHaveLength(1)
  })
  it('see types, several lines, dynamic imports and unknown rooms', () => {
    const spread = { path: 'src/farm/farm.ts', text: "import type {\n  A,\n  B,\n} from '../doors/a.ts'\n" }
    const dynamic = { path: 'src/farm/farm.ts', text: "const a = await import('../cli/a.ts')\n" }
    const handedOn = { path: 'src/farm/farm.ts', text: "export * from '../access/a.ts'\n" }
    const attic = { path: 'src/farm/farm.ts', text: "import '../attic/a.ts'\n" }
    for (const wrong of [spread, dynamic, handedOn, attic]) expect(directionFaults([wrong])).toHaveLength(1)
  })
  it('see one door that leans on another', () => {
    expect(doorFaults([file('src/doors/api/entry.ts', '../oauth/token.ts')])).toHaveLength(1)
    expect(doorFaults([file('src/doors/http/body.ts', '../oauth/token.ts')])).toHaveLength(1)
    expect(doorFaults([file('src/doors/api/entry.ts', '../http/body.ts', './links.ts')])).toEqual([])
    expect(doorFaults([file('src/doors/open-doors.ts', './api/entry.ts')])).toEqual([])
  })
  it('see a program that imports a door, a command or another program', () => {
    expect(programFaults([file('programs/demo/fill.ts', '../../src/doors/http/body.ts')])).toHaveLength(1)
    expect(programFaults([file('programs/demo/fill.ts', '../move-in/findings.ts')])).toHaveLength(1)
    expect(directionFaults([file('programs/demo/fill.ts', '../../src/cli/terminal.ts')])).toHaveLength(1)
    expect(directionFaults([file('src/doors/api/entry.ts', '../../../programs/demo/fill.ts')])).toHaveLength(1)
    const own = file('programs/demo/fill.ts', '../../src/records/records.ts', './plan.ts')
    expect([...programFaults([own]), ...directionFaults([own])]).toEqual([])
    expect(directionFaults([file('src/cli/demo.ts', '../../programs/demo/fill.ts')])).toEqual([])
  })
  it('see a command that fetches something out of a door', () => {
    expect(commandFaults([file('src/cli/history.ts', '../doors/record-1x/history.ts')])).toHaveLength(1)
    expect(commandFaults([file('src/cli/serve.ts', '../doors/open-doors.ts')])).toEqual([])
    expect(commandFaults([file('src/cli/history.ts', '../wire-1x/record-history.ts')])).toEqual([])
  })
  it('see sheets that know a door', () => {
    expect(directionFaults([file('src/sheets/cells.ts', '../doors/http/body.ts')])).toHaveLength(1)
    expect(directionFaults([file('src/wire-1x/filters.ts', '../sheets/cells.ts')])).toHaveLength(1)
    expect(directionFaults([file('src/maps/map-features.ts', '../sheets/cells.ts', '../limits.ts')])).toEqual([])
  })
  it('see a library outside of its room', () => {
    expect(libraryFaults([file('src/cli/serve.ts', 'fastify')])).toHaveLength(1)
    expect(libraryFaults([file('src/records/finding/find.ts', 'kysely')])).toHaveLength(1)
    expect(libraryFaults([file('src/access/accounts.ts', 'pg', '@photostructure/sqlite')])).toHaveLength(2)
    expect(libraryFaults([file('src/storage/sql/tables.ts', 'kysely')])).toEqual([])
  })
  it('see an import without its extension', () => {
    expect(extensionFaults([file('src/cli/serve.ts', './option')])).toHaveLength(1)
  })
  it('see a cycle and say its way', () => {
    const round = [file('src/a/a.ts', './b.ts'), file('src/a/b.ts', './c.ts'), file('src/a/c.ts', './a.ts')]
    expect(cycles(round)).toEqual(['src/a/a.ts → src/a/b.ts → src/a/c.ts → src/a/a.ts'])
  })
  it('see a barrel, but not a list that is taken whole', () => {
    const list = { path: 'src/a/all.ts', text: "/** All. */\nexport { b } from './b.ts'\nexport { c } from './c.ts'\n" }
    const whole = { path: 'src/a/user.ts', text: "import * as all from './all.ts'\nexport const own = all\n" }
    expect(barrels([list, whole])).toEqual([])
    expect(barrels([list, file('src/b/user.ts', '../a/all.ts')])).toEqual(['src/a/all.ts'])
    expect(barrels([{ path: 'src/a/all.ts', text: "export * from './b.ts'\n" }])).toEqual(['src/a/all.ts'])
    expect(barrels([file('src/a/index.ts')])).toEqual(['src/a/index.ts'])
  })
})
