import type { ComponentChildren, JSX } from 'preact'
import { terms } from '../store/local-copy.ts'
import { isArea, type KeptRecord } from '../store/record.ts'
import { base } from './router.ts'

interface LinkProps {
  /** Below `/app`: "/asset/5". */
  readonly to: string
  readonly class?: string
  readonly label?: string
  readonly current?: 'page' | 'true' | undefined
  /** Before it leads on: what has to happen in answer to the tap itself. */
  readonly onFollow?: () => void
  readonly children: ComponentChildren
}

/** A real link, so that it can be opened in a tab and copied; the router follows it without a new page. */
export function Link({ to, class: classes, label, current, onFollow, children }: LinkProps): JSX.Element {
  return (
    <a href={base + to} class={classes} aria-label={label} aria-current={current} onClick={onFollow}>
      {children}
    </a>
  )
}

/** Where a record has its page, below `/app`. */
export function pageOf({ type, bundle, id }: Pick<KeptRecord, 'type' | 'bundle' | 'id'>): string {
  if (type === 'term') return isArea({ bundle }) ? `/area/${id}` : `/term/${id}`
  return `/${type}/${id}`
}

export const pageOfLog = (id: string): string => `/log/${id}`
export const pageOfAsset = (id: string): string => `/asset/${id}`
export const pageOfArea = (id: string): string => `/area/${id}`

export function pageOfTerm(id: string): string {
  return pageOf({ type: 'term', bundle: terms.value.get(id)?.bundle ?? '', id })
}
