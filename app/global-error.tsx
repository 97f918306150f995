"use client";

/** When even the frame fails: no styles of ours can be counted on. */
export default function GlobalError({ reset }: { error: Error & { digest?: string }; reset: () => void }) {
  return (
    <html lang="en">
      <body style={{ fontFamily: "system-ui, sans-serif", padding: 24 }}>
        <h1>Hopperdeck could not start this page</h1>
        <p>Nothing was changed, and the worker goes on watching the fleet. Try again in a moment.</p>
        <button type="button" onClick={reset}>
          Try again
        </button>
      </body>
    </html>
  );
}
