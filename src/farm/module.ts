import { attachments } from '../fields/attachment.ts'
import { choice } from '../fields/choice.ts'
import type { ReferableType, ReferenceField } from '../fields/field.ts'
import { geometry } from '../fields/geometry.ts'
import { decimal, whole, yesNo } from '../fields/number.ts'
import { part } from '../fields/part.ts'
import { reference, termsOf } from '../fields/reference.ts'
import { longText, richText, text } from '../fields/text.ts'
import { period, timestamp } from '../fields/time.ts'
import * as additions from './additions.ts'
import { parent, standardFields as standardAssetFields } from './assets/standard-fields.ts'
import type { Bundle, Choice, Farm, Vocabulary } from './farm.ts'
import { plantingFields as plantingLogFields, standardFields as standardLogFields } from './logs/standard-fields.ts'
import type { ClientDeclaration } from './people/clients.ts'
import type { Scope } from './people/scopes.ts'
import { resourceNames } from './resource-names.ts'

export type { Field, Fields } from '../fields/field.ts'
export type { Bundle, Choice, ClientDeclaration, Farm, Scope, Vocabulary }

/** A module may name the target of a reference by its 1.x name. */
const referenceTo = (label: string, to: string, traits?: Partial<ReferenceField>): ReferenceField =>
  // Validation of the catalogue refuses an unknown name.
  reference(label, (typeNamed.get(to) ?? to) as ReferableType, traits)

const typeNamed = new Map(Object.entries(resourceNames).map(([type, resource]) => [resource, type]))

/** The functions that a module receives: kinds of fields, and ways to extend a farm (docs/modules.md). */
export const kit = {
  text,
  longText,
  richText,
  timestamp,
  period,
  yesNo,
  whole,
  decimal,
  choice,
  reference: referenceTo,
  termsOf,
  geometry,
  attachments,
  part,
  standardLogFields,
  plantingLogFields,
  standardAssetFields,
  parent,
  ...additions,
}

export type ModuleKit = typeof kit

/** The default export of a module file: takes a farm and returns a larger one. */
export type FarmModule = (farm: Farm, kit: ModuleKit) => Farm | Promise<Farm>
