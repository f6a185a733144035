import type { Farm } from '../../src/farm/farm.ts'
import { recordTypeNames } from '../../src/farm/fields-of.ts'
import type { Fields } from '../../src/fields/field.ts'
import { olderName } from '../records/interface-types.ts'
import { type Body, type Kin, writtenFields } from './record-bodies.ts'

/** How often each bundle, each of its fields and each field of its parts was written. */
export class Hits {
  readonly #counts = new Map<string, number>()
  readonly #farm: Farm
  #refusals = 0
  #faults = 0

  constructor(farm: Farm) {
    this.#farm = farm
    for (const type of recordTypeNames) {
      for (const bundle of Object.keys(farm.records[type].bundles)) {
        this.#counts.set(bundle, 0)
        for (const path of pathsIn(writtenFields(farm.records[type], bundle), bundle)) this.#counts.set(path, 0)
      }
    }
  }

  count({ type, bundle }: Kin, body: Body): void {
    this.#add(bundle)
    const fields = writtenFields(type, bundle)
    for (const [sent, value] of Object.entries(body)) {
      const name = Object.keys(fields).find((known) => [known, olderName(known)].includes(sent))
      if (name === undefined || value === null) continue
      this.#add(`${bundle}.${name}`)
      const parts = fields[name]?.kind === 'part' ? [value].flat() : []
      for (const part of parts) {
        for (const own of Object.keys(part ?? {})) this.#add(`${bundle}.${name}.${own}`)
      }
    }
  }

  countRefusal(problem: { readonly errors?: readonly unknown[] }): void {
    this.#refusals += 1
    this.#faults += problem.errors?.length ?? 0
  }

  get missed(): readonly string[] {
    return [...this.#counts].filter(([, count]) => count === 0).map(([path]) => path)
  }

  /** One line for each bundle: its own hits, and those of its fields. */
  report(): string {
    const bundles = recordTypeNames.flatMap((type) => Object.keys(this.#farm.records[type].bundles))
    const lines = bundles.map((bundle) => {
      const own = [...this.#counts].filter(([path]) => path.startsWith(`${bundle}.`))
      const fields = own.map(([path, count]) => `${path.slice(bundle.length + 1)} ${count}`)
      return `${bundle} ${this.#counts.get(bundle)}: ${fields.join(', ')}`
    })
    return [...lines, `refused alike: ${this.#refusals} bodies with ${this.#faults} faults`].join('\n')
  }

  #add(path: string): void {
    this.#counts.set(path, (this.#counts.get(path) ?? 0) + 1)
  }
}

const pathsIn = (fields: Fields, above: string): string[] =>
  Object.entries(fields).flatMap(([name, field]) => [
    `${above}.${name}`,
    ...(field.kind === 'part' ? pathsIn(field.fields, `${above}.${name}`) : []),
  ])
