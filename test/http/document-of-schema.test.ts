import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, expectTypeOf, test } from 'vitest'
import {
  completeObject,
  type DocumentOf,
  described,
  listOf,
  nullable,
  objectOf,
  schemaRef,
} from '../../src/doors/http/openapi.ts'

const text = { type: 'string' } as const
const roles = ['worker', 'viewer'] as const

const person = completeObject({ id: schemaRef<string>('Id'), name: nullable(text) })

const stay = objectOf({
  properties: {
    kind: described('What it is', { type: 'string', const: 'stay' }),
    role: { type: 'string', enum: roles },
    who: described('Whoever it was', nullable(person)),
    days: { ...listOf({ type: 'integer', minimum: 0 }), description: 'Its days' },
    counts: { type: 'object', additionalProperties: { type: 'number' } },
    lasts: { type: 'boolean' },
    either: { anyOf: [{ type: 'array', items: text }, { const: 'own' }] },
    geometry: { type: 'object' },
  },
  required: ['kind', 'role', 'who', 'days', 'counts'],
})

interface Stay {
  readonly kind: 'stay'
  readonly role: 'worker' | 'viewer'
  readonly who: { readonly id: string; readonly name: string | null } | null
  readonly days: readonly number[]
  readonly counts: Readonly<Record<string, number>>
  readonly lasts?: boolean
  readonly either?: readonly string[] | 'own'
  readonly geometry?: unknown
}

describe('a schema', () => {
  test('gives the type of its documents', () => {
    expectTypeOf<DocumentOf<typeof stay>>().toEqualTypeOf<Stay>()
  })

  test('is the JSON Schema that its parts make up', () => {
    expect(person).toEqual({
      type: 'object',
      properties: {
        id: { $ref: '#/components/schemas/Id' },
        name: { anyOf: [{ type: 'string' }, { type: 'null' }] },
      },
      required: ['id', 'name'],
      additionalProperties: false,
    })
    expect(objectOf({ properties: { name: text } })).not.toHaveProperty('required')
  })

  test('takes a document of its type, and no other', () => {
    const ajv = new Ajv2020({ strict: false })
    const isStay = ajv.compile({ ...stay, $id: 'stay', components: { schemas: { Id: text } } })
    const document: DocumentOf<typeof stay> = {
      kind: 'stay',
      role: 'worker',
      who: { id: '5', name: null },
      days: [1],
      counts: { log: 2 },
    }
    expect(isStay(document)).toBe(true)
    expect(isStay({ ...document, role: 'guest' })).toBe(false)
  })
})
