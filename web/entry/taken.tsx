import type { JSX } from 'preact'
import type { Point } from '../form/exif.ts'
import { OriginOffer } from '../form/origin-offer.tsx'
import { replace, withQuery } from '../look/router.ts'
import { isPlan, timing } from './timing.tsx'

export interface TakenProps {
  readonly photos: readonly Blob[]
  /** Left out where an entry has no place of its own. */
  readonly place?: { readonly isSaid: (point: Point) => boolean; readonly onUse: (point: Point) => void } | undefined
}

/** When and where a photo was taken, for an entry; a plan has no photos of it yet. */
export function Taken({ photos, place }: TakenProps): JSX.Element | null {
  if (isPlan()) return null
  return (
    <OriginOffer
      photos={photos}
      at={timing().at}
      isPlaceSaid={(point) => place?.isSaid(point) ?? true}
      onUse={({ at, point }) => {
        if (point !== null) place?.onUse(point)
        if (at !== null) replace(withQuery({ when: String(at) }))
      }}
    />
  )
}
