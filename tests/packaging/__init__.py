"""Tests of the scripts that set Foreword up."""
