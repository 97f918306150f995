"use client";

import { createContext, type ReactNode, useContext } from "react";
import type { Role } from "@/lib/domain/access";
import type { SignInWays } from "@/lib/domain/oidc";

/** Who is signed in on this page, and how they can prove it once more. */
export type Me = { email: string; role: Role; ways: SignInWays; isOneClick: boolean };

const MeContext = createContext<Me | null>(null);

export function MeProvider({ me, children }: { me: Me; children: ReactNode }) {
  return <MeContext value={me}>{children}</MeContext>;
}

/** Null: nobody is signed in. */
export function useMe(): Me | null {
  return useContext(MeContext);
}
