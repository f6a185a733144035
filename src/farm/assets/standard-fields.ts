import { geometry } from '../../fields/geometry.ts'
import { yesNo } from '../../fields/number.ts'
import { reference, termsOf } from '../../fields/reference.ts'
import { richText } from '../../fields/text.ts'
import { data, files, flags, images, quick, revisionMessage } from '../record-fields.ts'

/** Fields of assets in /api only, also of areas, which are assets there. */
export const newerAssetFields = {
  owner: reference('Owner', 'user', { many: true, only: 'newer' }),
  quick,
  revision_log_message: revisionMessage,
  /** Keeps the boolean form if a client wrote a boolean. */
  archived_yes_no: yesNo('Archived as yes or no', { only: 'newer', about: 'archived', newer: { joined: true } }),
}

export const standardFields = {
  description: richText('Description', { newer: { name: 'notes', label: 'Notes' } }),
  files,
  flags,
  images,
  data,
  ...newerAssetFields,
  is_location: yesNo('Is location', { only: 'newer' }),
  is_fixed: yesNo('Is fixed', { only: 'newer' }),
  intrinsic_geometry: geometry('Intrinsic geometry', { only: 'newer' }),
  parent_area: termsOf('Parent areas', 'farm_areas', { many: true, only: 'newer', newer: { joined: true } }),
}

export const parent = reference('Parent(s)', 'asset', { many: true, also: 'parent_area' })
