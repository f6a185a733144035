import type { Bundle } from '../data/bundle.ts'
import type { Account, Asset, Farm, Log, RecordKind, StoredFile, Term, Values, Vocabulary } from '../data/farm.ts'
import { normalised } from './geometry.ts'
import { placesOf } from './location.ts'
import { assetReference, isTold, reference, termReference, userReference } from './references.ts'
import { renderedDescription } from './rendered-text.ts'
import type { View } from './view.ts'

export type Shown = Record<string, unknown>

const bundleOf = ({ bundles }: Farm, kind: RecordKind, name: string): Bundle | undefined =>
  bundles.find((bundle) => bundle.kind === kind && bundle.name === name)

function fieldsShown(bundle: Bundle | undefined, values: Values, view: View): Shown {
  const shown: Shown = {}
  for (const [name, field] of Object.entries(bundle?.fields ?? {})) {
    const value = field.shown(values[name], view)
    if (value !== undefined) shown[field.key ?? name] = value
  }
  return { ...shown, ...bundle?.undescribed }
}

export const logsShown = (logs: readonly Log[], view: View): Shown[] =>
  logs.map((log) => ({
    id: String(log.id),
    name: log.name,
    type: log.bundle,
    ...(isTold(log.author, view) && { uid: userReference(log.author, view) }),
    timestamp: String(log.timestamp),
    created: String(log.created),
    changed: String(log.changed),
    done: log.done ? '1' : '0',
    url: `${view.base}/log/${log.id}`,
    ...fieldsShown(bundleOf(view.farm, 'log', log.bundle), log.values, view),
  }))

const slug = (name: string): string =>
  name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')

const addressOf = ({ id, bundle, name }: Asset): string =>
  ['planting', 'animal', 'equipment', 'sensor'].includes(bundle) ? `/farm/${bundle}/${slug(name)}` : `/farm/asset/${id}`

export function assetsShown(assets: readonly Asset[], view: View): Shown[] {
  const places = placesOf(view)
  return assets.map((asset) => ({
    id: String(asset.id),
    name: asset.name,
    type: asset.bundle,
    ...(isTold(asset.author, view) && { uid: userReference(asset.author, view) }),
    created: String(asset.created),
    changed: String(asset.changed),
    archived: String(asset.archived),
    url: `${view.base}${addressOf(asset)}`,
    location: places.areasOf(asset).map((id) => termReference(id, view)),
    geometry: normalised(places.geometryOf(asset)),
    ...fieldsShown(bundleOf(view.farm, 'farm_asset', asset.bundle), asset.values, view),
  }))
}

function lineOf(term: Term, farm: Farm): number[] {
  const line: number[] = []
  for (let next: number[] = [term.id]; next.length > 0; ) {
    line.push(...next)
    next = farm.terms.filter(({ id }) => next.includes(id)).flatMap(({ parents }) => parents)
    next = next.filter((id) => !line.includes(id))
  }
  return line
}

export function termsShown(terms: readonly Term[], view: View): Shown[] {
  const places = placesOf(view)
  const vocabularyOf = ({ bundle }: Term) => view.farm.vocabularies.find(({ machineName }) => machineName === bundle)
  return terms.map((term) => ({
    tid: String(term.id),
    name: term.name,
    description: renderedDescription(term.description),
    weight: String(term.weight),
    node_count: 0,
    url: `${view.base}/${term.bundle === 'farm_areas' ? 'farm/area' : 'taxonomy/term'}/${slug(term.name)}`,
    vocabulary: reference('taxonomy_vocabulary', vocabularyOf(term)?.id ?? 0, view),
    // Here the id is a number, and only here.
    parent: term.parents.map((id) => ({ ...termReference(id, view), id })),
    parents_all: lineOf(term, view.farm).map((id) => termReference(id, view)),
    ...(term.bundle === 'farm_areas' && { assets: places.assetsIn(term.id).map((id) => assetReference(id, view)) }),
    ...fieldsShown(bundleOf(view.farm, 'taxonomy_term', term.bundle), term.values, view),
  }))
}

export const vocabulariesShown = (vocabularies: readonly Vocabulary[], { farm }: View): Shown[] =>
  vocabularies.map(({ id, name, machineName, description }) => ({
    vid: String(id),
    name,
    machine_name: machineName,
    description,
    term_count: String(farm.terms.filter(({ bundle }) => bundle === machineName).length),
  }))

/** Mail and roles are told to the user herself, and to the first user, who may see everything. */
export const accountsShown = (accounts: readonly Account[], { base, viewer }: View): Shown[] =>
  accounts.map(({ id, name, mail, created, roles }) =>
    id === 0
      ? { uid: null, name: 'Anonymous', url: null, edit_url: null, created: null }
      : {
          uid: String(id),
          name,
          ...((viewer === id || viewer === 1) && { mail }),
          url: `${base}/users/${slug(name)}`,
          edit_url: `${base}/user/${id}/edit`,
          created: String(created),
          ...((viewer === id || viewer === 1) && { roles }),
        },
  )

export const fileFolders = { public: '/sites/default/files', private: '/system/files' }

export const fileShown = (file: StoredFile, view: View): Shown => ({
  fid: String(file.id),
  name: file.name,
  mime: file.mime,
  size: String(file.saidSize ?? file.content.length),
  url:
    file.address ?? `${view.base}${fileFolders[file.place]}/${file.path.split('/').map(encodeURIComponent).join('/')}`,
  timestamp: String(file.timestamp),
  ...(isTold(file.owner, view) && { owner: userReference(file.owner, view) }),
})
