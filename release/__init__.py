"""What leaves the house: releases, built, checked and tried (`make dist`)."""
