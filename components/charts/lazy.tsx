"use client";

import { type ReactNode, Suspense, useEffect, useRef, useState } from "react";

type Props = {
  /** Stands in until then, at the same size. */
  fallback: ReactNode;
  /** A component made with `React.lazy`; its code is asked for when this place comes near the window. */
  children: ReactNode;
};

/** Waits with what is heavy until it is about to be seen. */
export function WhenNear({ fallback, children }: Props) {
  const place = useRef<HTMLDivElement>(null);
  const [isNear, setIsNear] = useState(false);

  useEffect(() => {
    if (isNear || !place.current) return;
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some((entry) => entry.isIntersecting)) setIsNear(true);
      },
      { rootMargin: "200px" },
    );
    observer.observe(place.current);
    return () => observer.disconnect();
  }, [isNear]);

  return (
    <div ref={place} className="when-near">
      {isNear ? <Suspense fallback={fallback}>{children}</Suspense> : fallback}
    </div>
  );
}
