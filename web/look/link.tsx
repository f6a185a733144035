import type { ComponentChildren, JSX } from 'preact'
import { terms } from '../store/local-copy.ts'
import { isArea, type LocalRecord } from '../store/record.ts'
import { base } from './router.ts'

interface LinkProps {
  /** Path below `/app`: "/asset/5". */
  readonly to: string
  readonly class?: string
  readonly label?: string
  readonly current?: 'page' | 'true' | undefined
  /** Runs inside the tap, before the navigation. */
  readonly onFollow?: () => void
  readonly children: ComponentChildren
}

/** A real link, so that it can be copied and opened in a tab; the router handles plain clicks. */
export function Link({ to, class: classes, label, current, onFollow, children }: LinkProps): JSX.Element {
  return (
    <a href={base + to} class={classes} aria-label={label} aria-current={current} onClick={onFollow}>
      {children}
    </a>
  )
}

/** Path of a record's page, below `/app`. */
export function pageOf({ type, bundle, id }: Pick<LocalRecord, 'type' | 'bundle' | 'id'>): string {
  if (type === 'term') return isArea({ bundle }) ? `/area/${id}` : `/term/${id}`
  return `/${type}/${id}`
}

export const pageOfLog = (id: string): string => `/log/${id}`
export const pageOfAsset = (id: string): string => `/asset/${id}`
export const pageOfArea = (id: string): string => `/area/${id}`

export function pageOfTerm(id: string): string {
  return pageOf({ type: 'term', bundle: terms.value.get(id)?.bundle ?? '', id })
}
