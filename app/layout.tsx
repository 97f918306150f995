import { GeistMono } from "geist/font/mono";
import { GeistSans } from "geist/font/sans";
import type { Metadata, Viewport } from "next";
import { cookies } from "next/headers";
import type { ReactNode } from "react";
import { ZONE_COOKIE, zoneFrom } from "@/components/shell/zone";
import { ClockProvider } from "@/components/ui/clock";
import { THEME_COOKIE, themeFrom } from "@/components/ui/theme";
import { Toasts } from "@/components/ui/toast";
import { readNow } from "@/lib/services/clock";
import "./globals.css";

export const metadata: Metadata = {
  title: { default: "Hopperdeck", template: "%s · Hopperdeck" },
  description: "The dashboard from which a team runs its fleet of rented NVIDIA GPUs.",
  robots: { index: false },
};

export const viewport: Viewport = {
  width: "device-width",
  initialScale: 1,
  themeColor: [
    { media: "(prefers-color-scheme: light)", color: "#f5f6f7" },
    { media: "(prefers-color-scheme: dark)", color: "#0b0d0f" },
  ],
};

export default async function RootLayout({ children }: { children: ReactNode }) {
  const given = await cookies();
  const theme = themeFrom(given.get(THEME_COOKIE)?.value);
  // A page that says "the database is away" still needs a clock.
  const now = await readNow().catch(() => new Date());
  return (
    <html
      lang="en"
      className={`${GeistSans.variable} ${GeistMono.variable}`}
      {...(theme !== "system" && { "data-theme": theme })}
      suppressHydrationWarning
    >
      <body>
        <ClockProvider now={now.getTime()} timeZone={zoneFrom(given.get(ZONE_COOKIE)?.value)}>
          {children}
          <Toasts />
        </ClockProvider>
      </body>
    </html>
  );
}
