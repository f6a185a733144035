import type { JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { Chip } from '../look/chip.tsx'
import { dotted } from '../look/names.ts'
import { dayAndClock, figure, now } from '../words/format.ts'
import { say } from '../words/say.ts'
import { originOf, type PhotoOrigin } from './exif.ts'
import { areaAround, type GeoPoint } from './nearby.ts'

interface OriginOfferProps {
  readonly photos: readonly Blob[]
  /** Unix seconds: current time of the form. */
  readonly at: number
  /** True if the place is set already or useless. */
  readonly isPlaceSaid: (point: GeoPoint) => boolean
  readonly onUse: (origin: PhotoOrigin) => void
}

/** Seconds: a photo this recent adds nothing. */
const sameMoment = 120

/** Offers time and place of the last photo from its Exif data. Nothing is used or sent without a tap. */
export function OriginOffer({ photos, at, isPlaceSaid, onUse }: OriginOfferProps): JSX.Element | null {
  const origin = useOrigin(photos.at(-1))
  const isTimeNew = origin.at !== null && origin.at <= now() && Math.abs(origin.at - at) > sameMoment
  const taken = isTimeNew ? origin.at : null
  const point = origin.point === null || isPlaceSaid(origin.point) ? null : origin.point
  if (taken === null && point === null) return null
  return (
    <div class="options" role="status">
      <Chip icon="time" onPress={() => onUse({ at: taken, point })}>
        {offerWords(taken, point)}
      </Chip>
    </div>
  )
}

function useOrigin(photo: Blob | undefined): PhotoOrigin {
  const [origin, setOrigin] = useState<PhotoOrigin>({ at: null, point: null })
  useEffect(() => {
    let isWanted = true
    originOf(photo ?? new Blob()).then((found) => isWanted && setOrigin(found))
    return () => {
      isWanted = false
    }
  }, [photo])
  return origin
}

/** "Taken May 14, 8:12 · Hill 1: use it" */
function offerWords(at: number | null, point: GeoPoint | null): string {
  const place = point && (areaAround(point)?.name ?? `${figure(point.latitude, 5)}, ${figure(point.longitude, 5)}`)
  return say('form.taken', { words: dotted([at === null ? '' : dayAndClock(at), place ?? '']) })
}
